// What projects are called: the end of their path, and as much before it as tells them apart.

let names = new Map();

/** From here on these projects, and no others, are told apart. */
export function tellApart(projects) {
  names = new Map();
  let alike = projects.map((path) => ({ path, parts: partsOf(path) }));
  for (let count = 1; alike.length > 0; count += 1) {
    const groups = Map.groupBy(alike, ({ parts }) => endOf(parts, count));
    alike = [];
    for (const [end, group] of groups) {
      if (group.length === 1) names.set(group[0].path, end);
      else alike.push(...group.filter(({ parts }) => parts.length > count));
    }
  }
}

/** The last folder of the path; with the one above it, and so on, where another project ends in the same. */
export function projectName(project) {
  return names.get(project) ?? partsOf(project).at(-1) ?? project;
}

function partsOf(path) {
  return path.split(/[/\\]/).filter(Boolean);
}

function endOf(parts, count) {
  return parts.slice(-count).join("/");
}
