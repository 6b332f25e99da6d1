/** docs/product/admin.md §2, "Page Editor". */
export const PAGES = [
  { value: 'home', label: 'Home Page' },
  { value: 'live', label: 'Live TV Page' },
  { value: 'search', label: 'Search Results' },
  { value: 'control', label: 'Control Panel' },
] as const
export type PageId = (typeof PAGES)[number]['value']

export const ELEMENT_TYPES = ['text', 'image', 'button', 'container'] as const
export type ElementType = (typeof ELEMENT_TYPES)[number]
const FONT_WEIGHTS = ['400', '500', '600', '700'] as const
export type FontWeight = (typeof FONT_WEIGHTS)[number]

/** Sizes in px of a page that is {@link PAGE_WIDTH} wide. Colors are `#rrggbb`. */
export interface ElementStyles {
  fontSize: number
  fontWeight: FontWeight
  color: string
  backgroundColor: string | 'transparent'
  borderRadius: number
  padding: number
}

/** docs/product/admin.md §3. `content` is the text, or the URL of an image. */
export interface PageElement {
  id: string
  type: ElementType
  content: string
  x: number
  y: number
  width: number
  height: number
  zIndex: number
  visible: boolean
  styles: ElementStyles
}

/** Fields of an element that a form can change. The stack position has its own action. */
export type ElementChange = Partial<Omit<PageElement, 'id' | 'type' | 'zIndex' | 'styles'>> & {
  styles?: Partial<ElementStyles>
}

export const PAGE_WIDTH = 1280
export const PAGE_HEIGHT = 720
const MIN_SIZE = 24
export const MAX_ELEMENTS = 200
export const MAX_CONTENT = 2_000
/** From docs/product/admin.md §5; the other limits are ours. */
export const FONT_SIZE = { min: 8, max: 48 } as const
export const BORDER_RADIUS = { min: 0, max: 64 } as const
export const PADDING = { min: 0, max: 64 } as const

const HEX_COLOR = /^#[0-9a-f]{6}$/i
const PLAIN_STYLES: ElementStyles = {
  fontSize: 16,
  fontWeight: '400',
  color: '#ffffff',
  backgroundColor: 'transparent',
  borderRadius: 0,
  padding: 8,
}
const DEFAULTS: Record<
  ElementType,
  Pick<PageElement, 'content' | 'width' | 'height'> & { styles: ElementStyles }
> = {
  text: { content: 'New text', width: 320, height: 64, styles: { ...PLAIN_STYLES, fontSize: 24 } },
  image: { content: '', width: 320, height: 180, styles: { ...PLAIN_STYLES, borderRadius: 8, padding: 0 } },
  button: {
    content: 'New button',
    width: 200,
    height: 56,
    styles: { ...PLAIN_STYLES, fontWeight: '600', backgroundColor: '#2563eb', borderRadius: 8 },
  },
  container: {
    content: '',
    width: 480,
    height: 270,
    styles: { ...PLAIN_STYLES, backgroundColor: '#23282e', borderRadius: 8, padding: 16 },
  },
}

const clamp = (value: number, min: number, max: number): number =>
  Math.round(Math.min(Math.max(Number.isFinite(value) ? value : min, min), max))

/** The element within the page and its limits. An invalid color becomes the default. */
export function normalizeElement(element: PageElement): PageElement {
  const { styles } = element
  const width = clamp(element.width, MIN_SIZE, PAGE_WIDTH)
  const height = clamp(element.height, MIN_SIZE, PAGE_HEIGHT)
  const { backgroundColor } = styles
  return {
    ...element,
    content: element.content.slice(0, MAX_CONTENT),
    width,
    height,
    x: clamp(element.x, 0, PAGE_WIDTH - width),
    y: clamp(element.y, 0, PAGE_HEIGHT - height),
    styles: {
      fontSize: clamp(styles.fontSize, FONT_SIZE.min, FONT_SIZE.max),
      fontWeight: styles.fontWeight,
      color: HEX_COLOR.test(styles.color) ? styles.color.toLowerCase() : PLAIN_STYLES.color,
      backgroundColor: HEX_COLOR.test(backgroundColor) ? backgroundColor.toLowerCase() : 'transparent',
      borderRadius: clamp(styles.borderRadius, BORDER_RADIUS.min, BORDER_RADIUS.max),
      padding: clamp(styles.padding, PADDING.min, PADDING.max),
    },
  }
}

/** A new element in front of `count` others, slightly offset from the previous one. */
export function newElement(type: ElementType, id: string, count: number): PageElement {
  const offset = (count % 8) * 24
  return normalizeElement({
    id,
    type,
    x: 80 + offset,
    y: 80 + offset,
    zIndex: count + 1,
    visible: true,
    ...DEFAULTS[type],
  })
}

/** The elements with `zIndex` numbered from 1, back to front. */
export const withStackOrder = (elements: readonly PageElement[]): PageElement[] =>
  elements.map((element, index) =>
    element.zIndex === index + 1 ? element : { ...element, zIndex: index + 1 },
  )

/** The URL of an image if it may be shown: https, without credentials. */
export function imageUrl(content: string): string | undefined {
  const text = content.trim()
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined
}

/** Reads a stored layout. Invalid elements are omitted, and values outside the limits are clamped. */
export function readLayout(text: string | null): PageElement[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    if (!Array.isArray(stored)) return []
    const elements = stored.flatMap((item) => readElement(item) ?? [])
    const unique = new Map(elements.map((element) => [element.id, element]))
    return withStackOrder([...unique.values()].toSorted((a, b) => a.zIndex - b.zIndex).slice(0, MAX_ELEMENTS))
  } catch {
    return []
  }
}

/** Whether two layouts are stored as the same text, regardless of the order of their fields. */
export const isSameLayout = (one: readonly PageElement[], other: readonly PageElement[]): boolean =>
  storedText(one) === storedText(other)

const storedText = (elements: readonly PageElement[]): string =>
  JSON.stringify(readLayout(JSON.stringify(elements)))

function readElement(stored: unknown): PageElement | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const fields = stored as Record<string, unknown>
  const type = ELEMENT_TYPES.find((known) => known === fields.type)
  if (!type || typeof fields.id !== 'string' || fields.id === '') return undefined
  const defaults = DEFAULTS[type]
  const styles = (typeof fields.styles === 'object' && fields.styles !== null ? fields.styles : {}) as Record<
    string,
    unknown
  >
  return normalizeElement({
    id: fields.id,
    type,
    content: textOr(fields.content, ''),
    x: numberOr(fields.x, 0),
    y: numberOr(fields.y, 0),
    width: numberOr(fields.width, defaults.width),
    height: numberOr(fields.height, defaults.height),
    zIndex: numberOr(fields.zIndex, 0),
    visible: fields.visible !== false,
    styles: {
      fontSize: numberOr(styles.fontSize, defaults.styles.fontSize),
      fontWeight: FONT_WEIGHTS.find((known) => known === styles.fontWeight) ?? defaults.styles.fontWeight,
      color: textOr(styles.color, defaults.styles.color),
      backgroundColor: textOr(styles.backgroundColor, defaults.styles.backgroundColor),
      borderRadius: numberOr(styles.borderRadius, defaults.styles.borderRadius),
      padding: numberOr(styles.padding, defaults.styles.padding),
    },
  })
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)
const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise

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
