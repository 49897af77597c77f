/** Prompts of before, to be called back with the arrow keys. */

const KEY = 'toolpost.prompts'
const MOST = 200

export class History {
  private readonly kept: string[] = read()
  private at = -1

  get isBrowsing(): boolean {
    return this.at >= 0
  }

  add(text: string): void {
    this.at = -1
    if (!text || this.kept[0] === text) return
    this.kept.unshift(text)
    this.kept.length = Math.min(this.kept.length, MOST)
    localStorage.setItem(KEY, JSON.stringify(this.kept))
  }

  /** What stands there is being changed: the arrows are the caret's again. */
  leave(): void {
    this.at = -1
  }

  older(): string | undefined {
    if (this.at + 1 >= this.kept.length) return undefined
    this.at += 1
    return this.kept[this.at]
  }

  newer(): string | undefined {
    if (this.at < 0) return undefined
    this.at -= 1
    return this.at < 0 ? '' : this.kept[this.at]
  }
}

/** For whoever uses this browser next. */
export function forgetPrompts(): void {
  localStorage.removeItem(KEY)
}

function read(): string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as string[]
  } catch {
    return []
  }
}
