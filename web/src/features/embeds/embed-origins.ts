import { EMBED_ORIGIN } from '@looptide/contracts/http/embeds'

const ORIGIN = new RegExp(EMBED_ORIGIN)

/** The sites in a text, one a line, as origins without repetitions; `wrong` is the first line that is none. */
export function readOrigins(text: string): { origins: string[]; wrong: string | undefined } {
  const lines = text.split('\n').flatMap((line) => line.trim() || [])
  const origins = lines.map(originOf)
  return {
    origins: [...new Set(origins.flatMap((origin) => origin ?? []))],
    wrong: lines[origins.indexOf(undefined)],
  }
}

/** Addresses of pages are taken for their sites. A name without a scheme is one of https. */
function originOf(line: string): string | undefined {
  const origin = URL.parse(/^[a-z]+:\/\//i.test(line) ? line : `https://${line}`)?.origin
  return origin !== undefined && ORIGIN.test(origin) ? origin : undefined
}
