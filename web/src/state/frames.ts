/** Work that is wanted often is done once a frame; a page in the background has no frames, but its clock goes on. */

export interface Frames {
  soon(): void
  stop(): void
}

const WITHOUT_FRAMES = 250

export function everyFrame(work: () => void): Frames {
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    stop()
    work()
  }
  const stop = () => {
    if (frame) cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = 0
    timer = undefined
  }
  return {
    soon() {
      if (timer !== undefined) return
      // Whichever comes first: a page that is hidden after it asked for a frame gets none.
      timer = setTimeout(run, WITHOUT_FRAMES)
      if (!document.hidden) frame = requestAnimationFrame(run)
    },
    stop,
  }
}
