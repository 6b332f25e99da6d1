/**
 * Writes the folders from which the tools of LG and Samsung make installable apps that open a station's TV page:
 *
 *   node infra/tv/package.ts https://station.example "My Station" [folder]
 *
 * The apps are hosted: they contain an icon and an address, and show what the station sends. infra/tv/README.md says how
 * they are packaged and installed.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryRoot } from '../../packages/backing/src/paths.ts'

const ID = 'tv.looptide.station'
/** The package id of Tizen: ten letters or digits. */
const TIZEN_PACKAGE = 'LooptideTv'
const VERSION = '1.0.0'

const [address, name = 'Looptide TV', folder = join(repositoryRoot, '.local/tv')] = process.argv.slice(2)
const site = address === undefined ? null : URL.parse(address)
if (site?.protocol !== 'https:' && site?.protocol !== 'http:') {
  console.error('Usage: node infra/tv/package.ts <address of the station> [name] [folder]')
  process.exit(1)
}
const page = new URL('/tv', site).href

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

/** The only page of the apps: it goes on to the station. */
const INDEX = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${escapeXml(page)}">
<title>${escapeXml(name)}</title>
<style>body { background: #000 }</style>
`

const APPINFO = {
  id: ID,
  version: VERSION,
  vendor: name,
  type: 'web',
  main: 'index.html',
  title: name,
  icon: 'icon.png',
  largeIcon: 'icon.png',
  resolution: '1920x1080',
  bgColor: '#000000',
  // Back is a key for the page, which knows what is open.
  disableBackHistoryAPI: true,
}

const CONFIG = `<?xml version="1.0" encoding="UTF-8"?>
<widget xmlns="http://www.w3.org/ns/widgets" xmlns:tizen="http://tizen.org/ns/widgets" id="${escapeXml(page)}" version="${VERSION}">
  <name>${escapeXml(name)}</name>
  <content src="index.html"/>
  <icon src="icon.png"/>
  <access origin="*" subdomains="true"/>
  <tizen:allow-navigation>*</tizen:allow-navigation>
  <tizen:application id="${TIZEN_PACKAGE}.station" package="${TIZEN_PACKAGE}" required_version="5.0"/>
  <tizen:privilege name="http://tizen.org/privilege/internet"/>
  <tizen:profile name="tv-samsung"/>
  <tizen:setting context-menu="disable" hwkey-event="enable"/>
</widget>
`

const apps = { webos: { 'appinfo.json': JSON.stringify(APPINFO, null, 2) }, tizen: { 'config.xml': CONFIG } }
for (const [system, files] of Object.entries(apps)) {
  const target = join(folder, system)
  await mkdir(target, { recursive: true })
  await cp(join(repositoryRoot, 'web/public/icons/icon-512.png'), join(target, 'icon.png'))
  for (const [file, text] of Object.entries({ ...files, 'index.html': INDEX }))
    await writeFile(join(target, file), text)
  console.log(`${target}: opens ${page}`)
}
