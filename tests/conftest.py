"""Its place here puts this folder on the path, so that every test can import `strategies`."""

from hypothesis import HealthCheck, settings

# How long an example takes says how busy the machine is.
settings.register_profile("toolpost", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("toolpost")
