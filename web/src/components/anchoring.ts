/** A view that stays where the reader is: at the end while there is more to come, else at the message that is read. */

import { onMounted, onUnmounted, ref, type Ref } from 'vue'

const NEAR = 80

export interface Anchoring {
  isAtEnd: Ref<boolean>
  toEnd(): void
  scrolled(): void
}

/** The first message in view: where it was, and how far the view was scrolled then. */
interface Anchor {
  element: Element
  top: number
  scroll: number
}

/** `inner` grows and shrinks inside of `view`; its children are what the view holds on to. */
export function useAnchoring(view: Readonly<Ref<HTMLElement | null>>, inner: Readonly<Ref<HTMLElement | null>>): Anchoring {
  const isAtEnd = ref(true)
  let anchor: Anchor | undefined
  let last = 0

  function toEnd(): void {
    const place = view.value
    if (!place) return
    place.scrollTop = place.scrollHeight
    // Where it got shorter, the browser has scrolled up, and nobody else.
    last = place.scrollTop
    isAtEnd.value = true
  }

  function scrolled(): void {
    const place = view.value
    if (!place) return
    const isNear = place.scrollHeight - place.scrollTop - place.clientHeight < NEAR
    // Only whoever scrolls up leaves the end: content that grows below moves nobody.
    if (isNear || place.scrollTop < last) isAtEnd.value = isNear
    hold(place)
  }

  function resized(): void {
    const place = view.value
    if (!place) return
    if (isAtEnd.value) toEnd()
    else hold(place)
  }

  /** What moved the anchor, and was not scrolling, is made up for. */
  function hold(place: HTMLElement): void {
    if (!isAtEnd.value && anchor?.element.isConnected) {
      const expected = anchor.top - (place.scrollTop - anchor.scroll)
      const moved = anchor.element.getBoundingClientRect().top - expected
      if (Math.abs(moved) > 0.5) place.scrollTop += moved
    }
    last = place.scrollTop
    anchor = isAtEnd.value ? undefined : found(place)
  }

  function found(place: HTMLElement): Anchor | undefined {
    const top = place.getBoundingClientRect().top
    for (const element of inner.value?.children ?? []) {
      const box = element.getBoundingClientRect()
      if (box.bottom > top) return { element, top: box.top, scroll: place.scrollTop }
    }
    return undefined
  }

  const growing = new ResizeObserver(resized)
  onMounted(() => {
    if (inner.value) growing.observe(inner.value)
    if (view.value) growing.observe(view.value)
  })
  onUnmounted(() => growing.disconnect())
  return { isAtEnd, toEnd, scrolled }
}
