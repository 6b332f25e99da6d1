import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'

const text = readFileSync(join(repositoryRoot, 'docs/integrations.md'), 'utf8')

/** The address that the recipes say to replace. */
const STATION = 'https://station.example'

/**
 * The code of a section of docs/integrations.md, block by block, as its first paragraph says: with the address of a station,
 * and the id of a channel instead of `default`.
 */
export function recipe(section: string, { url, channelId }: { url: string; channelId: string }): string[] {
  const [, content = ''] = text.split(`\n## ${section}\n`)
  const blocks = content.split('\n## ')[0]?.matchAll(/^```\w+\n([\s\S]*?)^```/gm) ?? []
  return [...blocks].map(([, code = '']) =>
    code.replaceAll(STATION, url).replace(/(?<=\/embed\/|nowplaying\/|channel=)default\b/g, channelId),
  )
}
