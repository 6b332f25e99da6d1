import type { ElementType, PageElement } from './layout.ts'

const TYPE_NAMES: Record<ElementType, string> = {
  text: 'Text',
  image: 'Image',
  button: 'Button',
  container: 'Container',
}
const SHOWN = 40

/** What an element is called where it is not drawn: its type, its place in the pile, and what stands in it. */
export function elementName({ type, zIndex, content }: PageElement): string {
  const text = type === 'image' ? '' : content.trim().slice(0, SHOWN)
  return `${TYPE_NAMES[type]} ${zIndex}${text ? `: ${text}` : ''}`
}
