import { element, programmeName, stationLink } from './elements.ts'

interface BarTexts {
  title: string
  artist: string
  /** What is said below the title instead of the artist. */
  note?: string | undefined
  action: { label: string; run: () => void } | undefined
}

/** The bar below the picture: YouTube permits nothing over its player. */
export class PlayerBar {
  readonly element: HTMLElement
  readonly #title = element('h1', { class: 'bar-title' })
  readonly #detail = element('p', { class: 'bar-detail' })
  readonly #button = element('button', { type: 'button', class: 'button' })
  #run: (() => void) | undefined

  constructor({ watchUrl, name }: { watchUrl: string; name: string }, stationName: string) {
    const texts = element('div', { class: 'bar-texts', 'aria-live': 'polite' }, this.#title, this.#detail)
    const link = stationLink(watchUrl, 'button', element('bdi', {}, stationName), '↗')
    link.setAttribute('aria-label', `Watch ${name} on ${stationName}`)
    this.#button.addEventListener('click', () => this.#run?.())
    this.element = element('div', { class: 'bar' }, texts, this.#button, link)
  }

  show({ title, artist, note, action }: BarTexts): void {
    write(this.#title, programmeName({ title, artist: '' }))
    write(this.#detail, note === undefined ? [element('bdi', {}, artist)] : [note])
    this.#button.hidden = action === undefined
    if (action !== undefined && this.#button.textContent !== action.label)
      this.#button.textContent = action.label
    this.#run = action?.run
  }
}

/** Replaces the content only if its text differs, so that screen readers hear each change once. */
export function write(place: HTMLElement, content: readonly (Node | string)[]): void {
  const text = content.map((part) => (typeof part === 'string' ? part : part.textContent)).join('')
  if (place.textContent !== text) place.replaceChildren(...content)
}
