import { type Look, readLook } from '@looptide/contracts/embed-look'
import type { EmbedPage } from '@looptide/contracts/http/embeds'
import { element } from './elements.ts'
import './embed.css'
import { showStrip } from './strip.ts'

/** The page of an embed. It has no session and stores nothing: the first programme is in the HTML, later ones arrive as events. */
async function start(root: HTMLElement, { view, channel, ...station }: EmbedPage): Promise<void> {
  const look = readLook(window.location.search)
  applyLook(look)
  if (channel === null)
    root.replaceChildren(element('h1', { class: 'message' }, 'This channel does not exist.'))
  else if (view === 'now') showStrip(root, { ...station, channel })
  else if (view === 'chat') (await import('./chat.ts')).showChat(root, { ...station, channel })
  else (await import('./player.ts')).showPlayer(root, { ...station, channel, isMuted: look.isMuted })
}

/** Applies theme, accent and the form without controls to the page. */
function applyLook({ theme, accent, hasControls }: Look): void {
  const { documentElement } = document
  documentElement.dataset.theme = theme
  documentElement.toggleAttribute('data-no-controls', !hasControls)
  if (accent !== undefined) documentElement.style.setProperty('--accent', accent)
}

const root = document.getElementById('embed')
const data = document.getElementById('embed-data')?.textContent
if (root !== null && data !== undefined) void start(root, JSON.parse(data) as EmbedPage)
