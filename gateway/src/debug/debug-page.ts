import type { DebugReport, DebugRow, DebugSection } from '@looptide/service-kit/debug/debug-report'
import { escapeHtml } from '../pages/head-tags.ts'

const STYLE = `
  body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem; color-scheme: light dark; }
  table { border-collapse: collapse; }
  th, td { border: 1px solid; padding: .2rem .5rem; text-align: start; vertical-align: top; }
  .scroll { overflow-x: auto; }
`
/** Interval of the automatic refresh, in s. */
const REFRESH_S = 5

interface PageOptions {
  reports: readonly DebugReport[]
  /** Nonce of the page's style element. */
  nonce: string
  /** Whether the page loads itself again. Off by default: it would interrupt reading. */
  isRefreshing: boolean
  /** RFC 3339 */
  readAt: string
}

/** The page of `/debug`: a section for each process, a table for each part of its state. No script runs. */
export function debugPage({ reports, nonce, isRefreshing, readAt }: PageOptions): string {
  const refresh = isRefreshing ? `<meta http-equiv="refresh" content="${REFRESH_S}">` : ''
  const toggle = isRefreshing
    ? '<a href="/debug">Stop refreshing</a>'
    : `<a href="/debug?refresh=on">Refresh every ${REFRESH_S} seconds</a>`
  const contents = reports.map(
    ({ process }) => `<li><a href="#${escapeHtml(process)}">${escapeHtml(process)}</a></li>`,
  )
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `${refresh}<title>Debug</title><style nonce="${nonce}">${STYLE}</style></head><body>`,
    `<header><h1>Debug</h1><p>Read at <time datetime="${readAt}">${readAt}</time>. <a href="">Refresh</a> · ${toggle}</p>`,
    `<nav aria-label="Processes"><ul>${contents.join('')}</ul></nav></header><main>`,
    ...reports.map(processSection),
    '</main></body></html>',
  ].join('\n')
}

function processSection({ process, sections }: DebugReport): string {
  const name = escapeHtml(process)
  const tables = sections.map((section) => table(process, section))
  return `<section id="${name}" aria-labelledby="${name}-title"><h2 id="${name}-title">${name}</h2>${tables.join('')}</section>`
}

function table(process: string, { title, rows, error }: DebugSection): string {
  const heading = `<h3>${escapeHtml(title)}</h3>`
  if (error !== null) return `${heading}<p>Not available: ${escapeHtml(error)}</p>`
  const [first] = rows
  if (first === undefined) return `${heading}<p>None.</p>`
  const columns = Object.keys(first)
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('')
  const body = rows.map((row) => `<tr>${columns.map((column) => cell(row, column)).join('')}</tr>`).join('')
  const label = escapeHtml(`${process}: ${title}`)
  return `${heading}<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

const cell = (row: DebugRow, column: string): string => `<td>${escapeHtml(String(row[column] ?? '–'))}</td>`
