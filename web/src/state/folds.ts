/** What a person has opened or folded stays so: when a message is drawn again, and when the page is loaded again. */

import { reactive } from 'vue'

const KEY = 'toolpost.folds'
const MOST = 500
const folds = reactive(new Map<string, boolean>(read()))

export function isUnfolded(name: string): boolean | undefined {
  return folds.get(name)
}

export function unfold(name: string, isOpen: boolean): void {
  folds.delete(name)
  folds.set(name, isOpen)
  for (const oldest of folds.keys()) {
    if (folds.size <= MOST) break
    folds.delete(oldest)
  }
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...folds]))
  } catch {
    // A browser that keeps nothing still folds.
  }
}

function read(): [string, boolean][] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [string, boolean][]
  } catch {
    return []
  }
}
