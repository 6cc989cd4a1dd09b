"""The one setting that the page may change: whether summaries are on."""

import asyncio

from pydantic import BaseModel, ConfigDict, StrictBool
from starlette.endpoints import HTTPEndpoint
from starlette.responses import Response
from starlette.routing import Route

from service.config import ConfigError, set_value
from service.setting_keys import SECTION
from service.web.bodies import read_body
from service.web.errors import ApiError, json_answer
from service.web.state import ApiRequest, check_dashboard, running


class SettingsBody(BaseModel):
    """What may be changed: only a real boolean can switch the feature."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    enabled: StrictBool


class SettingsEndpoint(HTTPEndpoint):
    """PATCH writes the switch into the file, as `config set` does."""

    async def patch(self, request: ApiRequest) -> Response:
        check_dashboard(request, "changes settings")
        service, body = running(request), await read_body(request, SettingsBody)
        try:
            await asyncio.to_thread(set_value, service.config.path, f"{SECTION}.enabled", body.enabled)
        except ConfigError as error:
            raise ApiError(409, "settings_unwritable", str(error)) from error
        return json_answer({"enabled": service.config.current().enabled})


ROUTES = [Route("/api/settings", SettingsEndpoint)]
