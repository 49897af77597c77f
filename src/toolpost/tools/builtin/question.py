"""`question`: ask the person something, wherever they are: terminal, page or editor."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.host import Answers
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError
from toolpost.types.events import Question

MAX_QUESTIONS = 10
MAX_OPTIONS = 20
# A person may take their time; the call ends with the run at the latest.
PATIENCE_SECONDS = 7 * 24 * 3600.0

NOBODY = "Nobody is there to answer. Go on with your best judgement, and say in your answer what you assumed."


class AskedQuestion(Struct, frozen=True):
    question: Annotated[str, Meta(min_length=1, description="The whole question, in one or two sentences")]
    options: Annotated[list[str], Meta(description="Answers to choose from; any other text can be given too")] = []
    multiple: Annotated[bool, Meta(description="True if several options may be chosen")] = False


def make(bench: Workbench) -> Tool:
    @tool(name="question", read_only=True, timeout=PATIENCE_SECONDS, touches_machine=False)
    async def question(
        ctx: ToolContext, questions: Annotated[list[AskedQuestion], "What to ask, all of it at once"]
    ) -> ToolResult:
        """Ask the user when you can't go on without knowing what they want: a choice, a missing fact, a preference.

        Do not ask for permission, which is asked for by itself, nor what you can find out with a tool.
        """
        if not questions:
            raise ToolError("The list of questions is empty: give at least one.", kind="invalid")
        if len(questions) > MAX_QUESTIONS or any(len(one.options) > MAX_OPTIONS for one in questions):
            limits = f"{MAX_QUESTIONS} questions with {MAX_OPTIONS} options each"
            raise ToolError(f"That is too much to ask at once: at most {limits}.", kind="invalid")
        answers = await ctx.host.ask_person([Question(q.question, tuple(q.options), q.multiple) for q in questions])
        return ToolResult([NOBODY]) if answers is None else _answered(questions, answers)

    return question


def _answered(questions: list[AskedQuestion], answers: Answers) -> ToolResult:
    pairs = [(asked.question, list(given)) for asked, given in zip(questions, answers, strict=True)]
    text = "\n\n".join(f"{asked}\nAnswer: {', '.join(given) or '(none)'}" for asked, given in pairs)
    details: dict[str, Any] = {"answers": [{"question": asked, "answer": given} for asked, given in pairs]}
    return ToolResult([text], details)
