// What projects are called: the end of their path, and as much before it as tells them apart.

const paths = new Map();
const names = new Map();

/** Takes in the projects of rows; true where some were not known, by which others may be called otherwise. */
export function learnProjects(rows) {
  const before = paths.size;
  for (const { project } of rows) if (project && !paths.has(project)) paths.set(project, partsOf(project));
  if (paths.size === before) return false;
  const namesakes = Map.groupBy(paths.values(), (parts) => parts.at(-1));
  for (const [path, parts] of paths) names.set(path, shortest(parts, namesakes.get(parts.at(-1))) ?? path);
  return true;
}

/** The last folder of the path; with the one above it, and so on, where another project ends in the same. */
export function projectName(project) {
  return names.get(project) ?? partsOf(project).at(-1) ?? project;
}

function shortest(parts, namesakes) {
  const others = namesakes.filter((other) => other !== parts);
  const told = parts.findIndex((_, at) => others.every((other) => endOf(other, at + 1) !== endOf(parts, at + 1)));
  return told < 0 ? null : endOf(parts, told + 1);
}

function partsOf(path) {
  return path.split(/[/\\]/).filter(Boolean);
}

function endOf(parts, count) {
  return parts.slice(-count).join("/");
}
