import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import satori from 'satori'
import { CARD_SIZE, type Card } from './card.ts'

// Draws cards: satori lays the texts out and turns letters into paths, so that no text becomes markup, and resvg paints
// them. A card takes a tenth of a second, which the event loop of the gateway does not have.

interface Element {
  type: 'div'
  props: { style: Record<string, string | number>; children?: string | readonly Element[] }
}

const { resolve } = createRequire(import.meta.url)
const fontOf = (weight: 400 | 700, part: 'latin' | 'latin-ext') => ({
  name: part,
  weight,
  style: 'normal' as const,
  data: readFileSync(resolve(`@fontsource/lato/files/lato-${part}-${weight}-normal.woff`)),
})
const fonts = ([400, 700] as const).flatMap((weight) => [
  fontOf(weight, 'latin'),
  fontOf(weight, 'latin-ext'),
])
const ready = initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')))

const box = (style: Element['props']['style'], children?: Element['props']['children']): Element => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, ...(children !== undefined && { children }) },
})
const lines = (count: number) => ({ display: 'block', lineClamp: count, wordBreak: 'break-word' })

function layout({ label, isLive, title, detail, stationName }: Card): Element {
  const badge = box(
    {
      background: '#c81e1e',
      borderRadius: 8,
      padding: '4px 18px',
      fontSize: 30,
      fontWeight: 700,
      marginRight: 24,
    },
    'LIVE',
  )
  return box(
    {
      ...CARD_SIZE,
      boxSizing: 'border-box',
      flexDirection: 'column',
      justifyContent: 'space-between',
      padding: '72px 84px',
      borderLeft: '20px solid #f59e0b',
      background: 'linear-gradient(135deg, #1f2937, #0b0f14)',
      color: '#ffffff',
      fontFamily: 'latin, latin-ext',
    },
    [
      box({ alignItems: 'center', fontSize: 36, color: '#d5d8dc' }, [
        ...(isLive ? [box({ color: '#ffffff' }, [badge])] : []),
        box(lines(1), label),
      ]),
      box({ flexDirection: 'column' }, [
        box({ ...lines(3), fontSize: title.length > 40 ? 64 : 84, fontWeight: 700, lineHeight: 1.15 }, title),
        ...(detail === ''
          ? []
          : [box({ ...lines(2), fontSize: 44, marginTop: 18, color: '#d5d8dc' }, detail)]),
      ]),
      box({ ...lines(1), fontSize: 34, fontWeight: 700, color: '#f59e0b' }, stationName),
    ],
  )
}

async function draw(card: Card): Promise<Uint8Array> {
  await ready
  // Its type asks for an element of React, of which it reads `type` and `props`.
  const svg = await satori(layout(card) as Parameters<typeof satori>[0], { ...CARD_SIZE, fonts })
  return new Resvg(svg).render().asPng()
}

parentPort?.on('message', ({ id, card }: { id: number; card: Card }) => {
  draw(card).then(
    (png) => parentPort?.postMessage({ id, png }),
    () => parentPort?.postMessage({ id, png: null }),
  )
})
