import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'looptide-tv-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('no name and no address ends an element or an attribute of the files', () => {
  const name = 'Rock & "Roll" <TV>'
  const program = join(import.meta.dirname, '../package.ts')
  execFileSync(process.execPath, [program, 'https://me&you:"x"@station.example/watch', name, folder])
  const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')

  const config = textOf('tizen/config.xml')
  expect(config).toContain(' id="https://me&amp;you:%22x%22@station.example/tv" version="1.0.0">')
  expect(config).toContain('<name>Rock &amp; &quot;Roll&quot; &lt;TV&gt;</name>')
  expect(config.replaceAll(/&(amp|lt|gt|quot);/g, '')).not.toContain('&')
  for (const system of ['webos', 'tizen'])
    expect(textOf(`${system}/index.html`)).toContain(
      '<meta http-equiv="refresh" content="0; url=https://me&amp;you:%22x%22@station.example/tv">',
    )
  expect(JSON.parse(textOf('webos/appinfo.json'))).toMatchObject({ title: name, vendor: name })
})
