"""The Chinese texts of the command line, by their English: see `language.py`."""

from collections.abc import Mapping

from .attach import ATTACH
from .batch import BATCH
from .chat import CHAT
from .chat_faces import CHAT_FACES
from .doctor import DOCTOR
from .errors import ERRORS
from .models import MODELS
from .schedule import SCHEDULE
from .serve import SERVE

TEXTS: Mapping[str, str] = {**DOCTOR, **MODELS, **CHAT, **CHAT_FACES, **ERRORS, **SERVE, **SCHEDULE, **BATCH, **ATTACH}
