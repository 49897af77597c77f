"""Ask the embedded model ten questions: `python examples/ten_questions.py`.

The questions and the tools are not in its training data. Everything runs on this machine, without a key.
"""

import asyncio
from typing import Annotated, Literal

from calculator import calculate
from weather import get_weather

from toolpost import Agent, tool

Currency = Literal["USD", "EUR", "JPY", "CNY", "GBP", "CHF"]
RATES: dict[Currency, float] = {"USD": 1.0, "EUR": 0.92, "JPY": 151.0, "CNY": 7.2, "GBP": 0.79, "CHF": 0.88}

QUESTIONS = (
    "Is it colder in London or in Sydney right now?",
    "what's 15% of 640",
    "How much is 1,250 minus 378 plus 49?",
    "How much are 250 dollars in Swiss francs?",
    "Put the dentist into my calendar for the day after tomorrow at half past three in the afternoon.",
    "The eggs need seven minutes and the bread an hour and a half, start both.",
    "Thanks, that was quick!",
    "北京现在冷不冷？",
    "两万日元能换多少人民币？",
    "帮我定个二十五分钟的计时器，名字叫“番茄钟”",
)


@tool(read_only=True)
def exchange_money(
    amount: Annotated[float, "How much"],
    source: Annotated[Currency, "Currency of the amount"],
    target: Annotated[Currency, "Currency wanted"],
) -> str:
    """Work out an amount of money in another currency. The rates are made up."""
    return f"{amount * RATES[target] / RATES[source]:.2f} {target}"


@tool
def countdown(minutes: Annotated[int, "In minutes"], label: Annotated[str, "What it is for"] = "") -> str:
    """Start a countdown that rings when it ends."""
    return f"{label or 'countdown'}: rings in {minutes} minutes"


@tool
def add_appointment(
    what: Annotated[str, "What it is"],
    day: Annotated[str, "YYYY-MM-DD"],
    time: Annotated[str, "HH:MM, 24-hour clock"],
    kind: Annotated[Literal["private", "work"], "Which calendar"] = "private",
) -> str:
    """Write an appointment into the calendar."""
    return f"{what}, {day} {time}, {kind} calendar: saved"


async def main() -> None:
    tools = [get_weather, calculate, exchange_money, countdown, add_appointment]
    agent = Agent("embedded/qwen2.5-coder-1.5b", tools=tools, permissions={"*": "allow"})
    for question in QUESTIONS:
        print(f"\n> {question}")
        async for event in agent.session().stream(question):
            if event.type == "tool_execution_end":
                print(f"  {event.name}: {event.content[0].text}")
            elif event.type == "run_end":
                print(f"  {event.text}")


if __name__ == "__main__":
    asyncio.run(main())
