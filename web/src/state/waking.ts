/** When a page that slept, was hidden, or had no network should look again. */

/** Calls `look` when the page comes back; returns how to end that. */
export function onWake(look: () => void): () => void {
  const seen = () => document.visibilityState === 'visible' && look()
  const restored = (event: PageTransitionEvent) => event.persisted && look()
  document.addEventListener('visibilitychange', seen)
  window.addEventListener('online', look)
  window.addEventListener('pageshow', restored)
  return () => {
    document.removeEventListener('visibilitychange', seen)
    window.removeEventListener('online', look)
    window.removeEventListener('pageshow', restored)
  }
}

/** Some time, or less where the page comes back before, or nobody waits any more. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    const stop = onWake(done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
