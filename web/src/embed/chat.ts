import type { ChatMessage, ChatPage } from '@looptide/contracts/http/chat'
import type { EmbedPage } from '@looptide/contracts/http/embeds'
import { element, stationLink } from './elements.ts'

/** Interval at which a visible embed asks for messages, in ms. The gateway answers all of them from memory. */
const REFRESH_MS = 5_000
/** A reader this close to the end follows new messages, in CSS pixels. */
const NEAR_END_PX = 40

/** The chat, for reading. Writing needs an account, so it happens on the station's own page. */
export function showChat(
  root: HTMLElement,
  { channel, stationName }: { channel: NonNullable<EmbedPage['channel']>; stationName: string },
): void {
  const list = element('ol')
  const log = element(
    'div',
    { class: 'messages', 'aria-label': `Chat of ${channel.name}`, role: 'log', tabindex: '0' },
    list,
  )
  const status = element('p', { class: 'chat-status', role: 'status' }, 'Loading the chat...')
  const link = stationLink(channel.watchUrl, 'button', `Chat on ${stationName} ↗`)
  const heading = element('h1', { class: 'chat-title' }, element('bdi', {}, channel.name))
  root.replaceChildren(element('div', { class: 'chat' }, heading, status, log, link))
  const show = ({ items, removedIds }: ChatPage) => {
    const shown = items.filter(({ id }) => !removedIds.includes(id))
    status.textContent = shown.length === 0 ? 'Nobody has written yet.' : ''
    renew(log, list, shown)
  }
  void follow(`/api/chat/channels/${encodeURIComponent(channel.id)}/messages`, show, () => {
    if (list.childElementCount === 0) status.textContent = 'The chat cannot be reached.'
  })
}

/** Asks while the page is visible. */
async function follow(path: string, onPage: (page: ChatPage) => void, onFailure: () => void): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = async () => {
    clearTimeout(timer)
    if (document.hidden) return
    try {
      const response = await fetch(path)
      if (response.ok) onPage((await response.json()) as ChatPage)
      else onFailure()
    } catch {
      onFailure()
    }
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), REFRESH_MS)
  }
  document.addEventListener('visibilitychange', () => void ask())
  await ask()
}

/** Adds new messages, drops those that are gone, and stays at the newest if the reader is there. */
function renew(log: HTMLElement, list: HTMLElement, messages: readonly ChatMessage[]): void {
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX
  const known = new Map([...list.children].map((row) => [row.getAttribute('data-id'), row]))
  const rows = messages.map((message) => known.get(message.id) ?? messageRow(message))
  for (const row of known.values()) if (!rows.includes(row)) row.remove()
  // Rows that are there already stay where they are, so that screen readers hear the new ones only.
  for (const row of rows) if (!row.isConnected) list.append(row)
  if (isAtEnd) log.scrollTop = log.scrollHeight
}

function messageRow({ id, author, message }: ChatMessage): HTMLElement {
  const name = author.artistName ?? author.handle ?? 'Viewer'
  return element(
    'li',
    { 'data-id': id },
    element('bdi', { class: 'author' }, name),
    ' ',
    element('bdi', {}, message),
  )
}
