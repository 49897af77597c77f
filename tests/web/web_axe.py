"""What axe finds in a page, for whoever can't see it."""

from pathlib import Path

from playwright.async_api import Page

AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
FIND = """async () => {
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`))
}"""


async def serious(page: Page) -> list[str]:
    # A script of the page itself would be refused; the browser's own way in is not.
    await page.evaluate(AXE.read_text())
    # On a busy machine a look may fall into the change of a theme; what a person sees is what stays.
    return await page.evaluate(FIND) and await page.evaluate(FIND)
