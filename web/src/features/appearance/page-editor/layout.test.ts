import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  ELEMENT_TYPES,
  FONT_SIZE,
  imageUrl,
  newElement,
  normalizeElement,
  PAGE_HEIGHT,
  PAGE_WIDTH,
  type PageElement,
  readLayout,
  withStackOrder,
} from './layout.ts'

const anyNumber = fc.oneof(fc.integer({ min: -5_000, max: 5_000 }), fc.double())
const element = fc
  .record({
    type: fc.constantFrom(...ELEMENT_TYPES),
    content: fc.string(),
    x: anyNumber,
    y: anyNumber,
    width: anyNumber,
    height: anyNumber,
    visible: fc.boolean(),
    fontSize: anyNumber,
    color: fc.string(),
  })
  .map(({ type, fontSize, color, ...fields }): PageElement => {
    const first = newElement(type, 'made', 0)
    return normalizeElement({ ...first, ...fields, styles: { ...first.styles, fontSize, color } })
  })
const layout = fc
  .array(element, { maxLength: 12 })
  .map((elements) => withStackOrder(elements.map((each, index) => ({ ...each, id: `element-${index}` }))))

it('any element is placed inside the page with a valid font size', () => {
  fc.assert(
    fc.property(element, ({ x, y, width, height, styles }) => {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(PAGE_WIDTH)
      expect(y + height).toBeLessThanOrEqual(PAGE_HEIGHT)
      expect(styles.fontSize).toBeGreaterThanOrEqual(FONT_SIZE.min)
      expect(styles.fontSize).toBeLessThanOrEqual(FONT_SIZE.max)
      expect(styles.color).toMatch(/^#[0-9a-f]{6}$/)
    }),
  )
})

it('a stored layout is read back unchanged', () => {
  fc.assert(
    fc.property(layout, (elements) => {
      expect(readLayout(JSON.stringify(elements))).toEqual(elements)
    }),
  )
})

it('any stored text is read as a layout within the limits', () => {
  const hostile = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .array(
        fc.record(
          {
            id: fc.constantFrom('a', 'b', ''),
            type: fc.constantFrom('text', 'script'),
            x: fc.jsonValue(),
            styles: fc.jsonValue(),
          },
          { requiredKeys: ['id'] },
        ),
      )
      .map((stored) => JSON.stringify(stored)),
  )
  fc.assert(
    fc.property(hostile, (text) => {
      const elements = readLayout(text)
      expect(elements.map(normalizeElement)).toEqual(elements)
      expect(elements.map(({ zIndex }) => zIndex)).toEqual(elements.map((_, index) => index + 1))
      expect(new Set(elements.map(({ id }) => id)).size).toBe(elements.length)
    }),
  )
  expect(readLayout(null)).toEqual([])
})

it('only https image URLs are accepted', () => {
  expect(imageUrl(' https://i.ytimg.com/vi/a/hqdefault.jpg ')).toBe('https://i.ytimg.com/vi/a/hqdefault.jpg')
  for (const text of [
    '',
    'picture.jpg',
    'http://example.com/a.png',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    'https://user:word@example.com/a.png',
  ]) {
    expect(imageUrl(text)).toBeUndefined()
  }
})
