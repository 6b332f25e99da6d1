import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { type Card, withinLimits } from './card.ts'
import { cardPicture, FIXED_TEXTS } from './card-picture.ts'
import { openFonts } from './shape-text.ts'

// Draws cards. One takes a tenth of a second, which the event loop of the gateway does not have.

const { resolve } = createRequire(import.meta.url)
const ready = initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')))

async function draw(requested: Card): Promise<Uint8Array> {
  await ready
  const card = withinLimits(requested)
  const fonts = await openFonts([card.label, card.title, card.detail, card.stationName, FIXED_TEXTS].join(''))
  const picture = new Resvg(cardPicture(card, fonts))
  try {
    return picture.render().asPng()
  } finally {
    picture.free()
  }
}

parentPort?.on('message', (card: Card) => {
  draw(card).then(
    (png) => parentPort?.postMessage(png),
    () => parentPort?.postMessage(null),
  )
})
