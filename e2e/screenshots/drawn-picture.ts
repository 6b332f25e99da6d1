import { createHash } from 'node:crypto'

const WIDTH = 640
const HEIGHT = 360
const BEAMS = 5
const PEOPLE = 9

/**
 * A concert stage in coloured light, as SVG, the same for the same name. It replaces YouTube's thumbnail of a video,
 * which we may not publish and which cannot be loaded everywhere.
 */
export function drawnPicture(name: string): string {
  const bytes = createHash('sha256').update(name).digest()
  const share = (at: number): number => bytes.readUInt8(at % bytes.length) / 255
  const hue = Math.round(share(0) * 360)
  const other = (hue + 40 + Math.round(share(1) * 140)) % 360
  const sunX = Math.round(WIDTH * (0.25 + share(2) * 0.5))
  const sunY = Math.round(HEIGHT * (0.3 + share(3) * 0.25))
  const beams = Array.from({ length: BEAMS }, (_, index) => {
    const from = Math.round(WIDTH * ((index + 0.5) / BEAMS + (share(4 + index) - 0.5) * 0.2))
    const to = Math.round(from + (share(10 + index) - 0.5) * WIDTH * 0.9)
    const reach = 30 + Math.round(share(16 + index) * 60)
    return `<path d="M${from} -10L${to - reach} ${HEIGHT}L${to + reach} ${HEIGHT}Z" fill="hsl(${index % 2 ? hue : other} 90% 65%)" opacity="${(0.08 + share(20 + index) * 0.16).toFixed(2)}"/>`
  })
  const people = Array.from({ length: PEOPLE }, (_, index) => {
    const x = Math.round((WIDTH * (index + 0.5)) / PEOPLE + (share(index) - 0.5) * 30)
    const y = Math.round(HEIGHT * (0.83 + share(index + 9) * 0.08))
    const size = 20 + Math.round(share(index + 5) * 10)
    return `<circle cx="${x}" cy="${y}" r="${size}"/><rect x="${x - size * 1.7}" y="${y + size * 0.8}" width="${size * 3.4}" height="120" rx="${size}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720" viewBox="0 0 ${WIDTH} ${HEIGHT}">
  <defs>
    <linearGradient id="air" x2="0.3" y2="1">
      <stop stop-color="hsl(${hue} 70% 14%)"/><stop offset="0.65" stop-color="hsl(${other} 65% 30%)"/><stop offset="1" stop-color="hsl(${other} 60% 12%)"/>
    </linearGradient>
    <radialGradient id="sun"><stop stop-color="hsl(${other} 100% 88%)"/><stop offset="0.35" stop-color="hsl(${other} 95% 66%)" stop-opacity="0.75"/><stop offset="1" stop-color="hsl(${hue} 90% 55%)" stop-opacity="0"/></radialGradient>
  </defs>
  <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#air)"/>
  <circle cx="${sunX}" cy="${sunY}" r="${150 + Math.round(share(6) * 90)}" fill="url(#sun)"/>
  ${beams.join('')}
  <g fill="hsl(${hue} 55% 5%)">${people.join('')}</g>
</svg>`
}
