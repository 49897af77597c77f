/** Suggestions for a text field: shown while a name is typed, moved through with the arrows, put in with Enter or Tab. */

import { computed, nextTick, ref, shallowRef, type Ref } from 'vue'
import { filledIn, suggestCommands, suggestFiles, typedAt, type Suggestion, type Typed } from '@/state/suggestions'

const WAIT = 120

export function useSuggestions(
  text: Ref<string>,
  area: Readonly<Ref<HTMLTextAreaElement | null>>,
  commands: () => { name: string; description: string }[],
) {
  const entries = shallowRef<Suggestion[]>([])
  const chosen = ref(0)
  const isOpen = computed(() => entries.value.length > 0)
  let typed: Typed | undefined
  let timer = 0
  let asked = 0

  function close(): void {
    clearTimeout(timer)
    asked += 1
    entries.value = []
  }

  function show(found: Suggestion[]): void {
    chosen.value = 0
    entries.value = found
  }

  /** Look at what stands before the caret. */
  function look(): void {
    const place = area.value
    typed = place ? typedAt(place.value, place.selectionStart) : undefined
    clearTimeout(timer)
    if (!typed) return close()
    if (typed.kind === 'command') return show(suggestCommands(typed.query, commands()))
    const wanted = typed
    asked += 1
    const mine = asked
    timer = window.setTimeout(async () => {
      const found = await suggestFiles(wanted.query).catch(() => [])
      if (mine === asked) show(found)
    }, WAIT)
  }

  function choose(at: number): void {
    const [place, entry] = [area.value, entries.value[at]]
    if (!place || !entry || !typed) return
    const filled = filledIn(text.value, typed, place.selectionStart, entry)
    text.value = filled.text
    close()
    void nextTick(() => {
      place.focus()
      place.setSelectionRange(filled.caret, filled.caret)
    })
  }

  /** True where the key was for the suggestions. */
  function pressed(event: KeyboardEvent): boolean {
    if (!isOpen.value || event.isComposing) return false
    const count = entries.value.length
    if (event.key === 'ArrowDown') chosen.value = (chosen.value + 1) % count
    else if (event.key === 'ArrowUp') chosen.value = (chosen.value + count - 1) % count
    else if (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey && !isWhole())) choose(chosen.value)
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  /** What stands there is the suggestion already: then Enter sends. */
  function isWhole(): boolean {
    return text.value.trim() === entries.value[chosen.value]?.insert
  }

  return { entries, chosen, isOpen, look, close, choose, pressed }
}
