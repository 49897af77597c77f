/** A component on a page of its own. */

import { createApp, h, type App, type Component } from 'vue'

let shown: App | undefined

export function mount(component: Component, props: Record<string, unknown> = {}): HTMLElement {
  shown?.unmount()
  document.body.innerHTML = '<div id="app"></div>'
  shown = createApp({ render: () => h(component, props) })
  shown.mount('#app')
  return document.querySelector('#app') as HTMLElement
}

export function button(text: string): HTMLButtonElement {
  const found = [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === text)
  if (!found) throw new Error(`there is no button ${text}`)
  return found
}
