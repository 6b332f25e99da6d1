/**
 * Draws the app's icons and the picture for shared links from `web/public/icon.svg`, with Chromium:
 * `node infra/media/draw-icons.ts`. Its output in `web/public` is committed.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_BRAND } from '@looptide/contracts/brand'
import { chromium } from '@playwright/test'
import { repositoryRoot } from '../../packages/backing/src/paths.ts'
import { findChromium } from '../../packages/backing/src/programs/chromium.ts'

const folder = join(repositoryRoot, 'web/public')
const font = join(
  repositoryRoot,
  'web/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
)
const BACKGROUND = '#0b0f14'

interface Drawing {
  file: string
  width: number
  height: number
  html: (svg: string, fontUrl: string) => string
}

/** `share`: part of the side that the sign covers; a mask may cut off a tenth on each side. */
const icon = (file: string, size: number, share: number): Drawing => ({
  file,
  width: size,
  height: size,
  html: (svg) =>
    `<body style="margin:0;display:grid;place-items:center;height:100vh;background:${share < 1 ? BACKGROUND : 'transparent'}"><div style="width:${share * 100}%">${svg}</div></body>`,
})

const DRAWINGS: readonly Drawing[] = [
  icon('icons/icon-192.png', 192, 1),
  icon('icons/icon-512.png', 512, 1),
  icon('icons/maskable-192.png', 192, 0.8),
  icon('icons/maskable-512.png', 512, 0.8),
  icon('icons/apple-touch-icon.png', 180, 0.84),
  {
    file: 'share.jpg',
    width: 1200,
    height: 630,
    html: (svg, fontUrl) => `<style>
      @font-face { font-family: Inter; font-weight: 100 900; src: url(${fontUrl}); }
      body { margin: 0; height: 100vh; box-sizing: border-box; padding: 96px; display: grid; align-content: center;
        gap: 36px; color: #fff; font-family: Inter; background: radial-gradient(90% 120% at 20% 0, #1f2937, ${BACKGROUND}); }
      header { display: flex; align-items: center; gap: 32px; font-size: 72px; font-weight: 800; letter-spacing: -0.03em; }
      header div { width: 132px; }
      p { margin: 0; font-size: 44px; color: #b7bbc1; }
      b { justify-self: start; padding: 10px 22px; border-radius: 10px; background: #d01030; font-size: 30px; }
    </style><header><div>${svg}</div>${DEFAULT_BRAND.name}</header><p>${DEFAULT_BRAND.tagline}</p><b>LIVE 24/7</b>`,
  },
]

const svg = await readFile(join(folder, 'icon.svg'), 'utf8')
const fontUrl = `data:font/woff2;base64,${(await readFile(font)).toString('base64')}`
await mkdir(join(folder, 'icons'), { recursive: true })
const executablePath = findChromium(process.env.PLAYWRIGHT_CHROMIUM)
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--no-sandbox'],
})
for (const { file, width, height, html } of DRAWINGS) {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(html(svg, fontUrl))
  await page.evaluate(() => document.fonts.ready)
  const path = join(folder, file)
  await page.screenshot(
    file.endsWith('.jpg') ? { path, type: 'jpeg', quality: 88 } : { path, omitBackground: true },
  )
  await page.close()
}
await browser.close()
