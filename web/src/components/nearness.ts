/** Which messages are near the view: one observer for all of them. */

import { inject, provide, type InjectionKey } from 'vue'

export interface Nearness {
  watch(element: Element, changed: (isNear: boolean, height: number) => void): void
  forget(element: Element): void
}

/** What is this far away is drawn before it comes into view. */
const MARGIN = 1500
const KEY: InjectionKey<Nearness> = Symbol('nearness')

export function provideNearness(root: () => HTMLElement | null): () => void {
  const known = new Map<Element, (isNear: boolean, height: number) => void>()
  let observer: IntersectionObserver | undefined
  const started = () => {
    const look = (entries: IntersectionObserverEntry[]) => {
      for (const entry of entries) known.get(entry.target)?.(entry.isIntersecting, entry.boundingClientRect.height)
    }
    return new IntersectionObserver(look, { root: root(), rootMargin: `${MARGIN}px 0px` })
  }
  provide(KEY, {
    watch(element, changed) {
      known.set(element, changed)
      observer ??= started()
      observer.observe(element)
    },
    forget(element) {
      known.delete(element)
      observer?.unobserve(element)
    },
  })
  return () => observer?.disconnect()
}

export function useNearness(): Nearness | undefined {
  return inject(KEY, undefined)
}
