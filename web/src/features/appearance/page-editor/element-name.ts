import type { ElementType, PageElement } from './layout.ts'

const TYPE_NAMES: Record<ElementType, string> = {
  text: 'Text',
  image: 'Image',
  button: 'Button',
  container: 'Container',
}
const MAX_CONTENT_LENGTH = 40

/** Name of an element in lists and for screen readers: type, stack position and content. */
export function elementName({ type, zIndex, content }: PageElement): string {
  const text = type === 'image' ? '' : content.trim().slice(0, MAX_CONTENT_LENGTH)
  return `${TYPE_NAMES[type]} ${zIndex}${text ? `: ${text}` : ''}`
}
