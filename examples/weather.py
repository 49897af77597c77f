"""A weather tool. The data are made up, so the example needs no key and no network."""

import asyncio
from typing import Annotated

from toolpost import ToolError, tool

# City: other names, condition, degrees Celsius, humidity in percent. Invented, but plausible.
CITIES = {
    "Tokyo": (("東京", "东京", "tōkyō"), "sunny", 22, 55),
    "Beijing": (("北京", "peking"), "hazy", 18, 40),
    "London": ((), "light rain", 13, 82),
    "New York": (("nyc", "new york city", "纽约"), "cloudy", 16, 60),
    "Paris": (("巴黎",), "partly cloudy", 15, 68),
    "Berlin": (("柏林",), "overcast", 12, 71),
    "Sydney": (("悉尼",), "clear", 24, 50),
    "Nairobi": (("内罗毕",), "warm, with some clouds", 23, 58),
}


@tool(read_only=True)
def get_weather(city: Annotated[str, "Name of the city, e.g. Tokyo"]) -> str:
    """Get the current weather of a city. Use when the user asks about weather or temperature.

    An example: the answers come from a small made-up table, not from a weather service.
    """
    wanted = city.strip().casefold()
    for name, (others, condition, degrees, humidity) in CITIES.items():
        if wanted in (name.casefold(), *(other.casefold() for other in others)):
            return f"{name}: {condition}, {degrees}°C, humidity {humidity}%"
    raise ToolError(f'there are no data for "{city}"; known cities: {", ".join(CITIES)}')


if __name__ == "__main__":
    from together import main

    asyncio.run(main())
