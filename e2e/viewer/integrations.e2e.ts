/// <reference lib="dom" />

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { findBacking } from '@looptide/backing/programs/obtain'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type FakeDiscord, startFakeDiscord } from '@looptide/testkit/discord'
import { freePort } from '@looptide/testkit/free-port'
import { expect } from '@playwright/test'
import playlist from 'iptv-playlist-parser'
import { JSONPath } from 'jsonpath-plus'
import nunjucks from 'nunjucks'
import { Webhook } from 'standardwebhooks'
import { parse as parseYaml } from 'yaml'
import { startClipChannel } from '../support/channels.ts'
import { walkTo } from '../support/keys.ts'
import { signIn } from '../support/people.ts'
import { recipe } from '../support/recipes.ts'
import { signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

// The recipes of docs/integrations.md, run as they are written there. Not run: VLC, Home Assistant, Discord and televisions
// themselves.

const web = useSharedStation()
const CHANNEL = 'test-card'
const codeOf = (section: string): string[] => recipe(section, { url: web.url, channelId: CHANNEL })

interface NowPlaying {
  station: { name: string }
  now_playing: { song: { text: string } } & Record<string, unknown>
}
const nowPlaying = async (): Promise<NowPlaying> =>
  (await (await fetch(`${web.url}/api/nowplaying/${CHANNEL}`)).json()) as NowPlaying
/** What is on; titles change while a test runs, so it is compared until both are of the same moment. */
const songText = async (): Promise<string> => (await nowPlaying()).now_playing.song.text

/** The environment of a shell that finds the programs that the recipes use. */
function shellEnv(): NodeJS.ProcessEnv {
  const programs = (['curl', 'jq'] as const).map((name) => findBacking(name))
  const folders = programs.map((program) => program?.path.replace(/\/[^/]+$/, ''))
  return {
    ...process.env,
    ...Object.assign({}, ...programs.map((program) => program?.env)),
    PATH: [...folders, process.env.PATH].join(':'),
  }
}
const shell = async (code: string): Promise<string> =>
  (await promisify(execFile)('sh', ['-c', code], { env: shellEnv(), timeout: 60_000 })).stdout

/** A site of somebody else with one page. */
let site: Server
let content = ''
let siteUrl = ''
let discord: FakeDiscord
test.beforeAll(async () => {
  site = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><html lang="en"><title>A blog</title>${content}</html>`)
  })
  // Another site than that of the station, not only another port.
  const host = new URL(web.url).hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  site.listen(0, host)
  await once(site, 'listening')
  siteUrl = `http://${host}:${(site.address() as AddressInfo).port}`
  discord = await startFakeDiscord()
})
test.afterAll(async () => {
  site.close()
  await discord.stop()
})

test('the recipe for scripts prints what is on, also as it changes', async () => {
  const [ask = '', follow = ''] = codeOf('A script')
  await expect(async () => {
    const [first, ...all] = (await shell(ask)).trim().split('\n')
    const { station, now_playing } = await nowPlaying()
    expect(first).toBe(now_playing.song.text)
    expect(all).toContainEqual(expect.stringContaining(`${station.name}: ${now_playing.song.text}, `))
  }).toPass()

  const following = spawn('sh', ['-c', follow], { env: shellEnv(), detached: true })
  try {
    const [line] = (await once(createInterface(following.stdout), 'line')) as [string]
    expect(line).toContain(' - ')
  } finally {
    process.kill(-(following.pid ?? 0))
  }
})

test('the recipe for a page shows what is on in a page of another site', async ({ page }) => {
  content = codeOf('A page').join('')
  await page.goto(siteUrl)
  await expect(async () => {
    await expect(page.locator('#on')).toHaveText(await songText(), { timeout: 1000 })
  }).toPass()
})

test('the recipe for a blog shows the player in a page of another site, and its command prints the same code', async ({
  page,
}) => {
  const [embed = '', command = ''] = codeOf('A blog embed')
  content = embed
  await page.goto(siteUrl)
  const frame = page.frameLocator('iframe')
  await expect(frame.getByRole('region', { name: 'Live picture' })).toHaveAttribute('data-state', 'playing')
  await expect(frame.getByRole('link', { name: /^Watch Test Card on/ })).toBeVisible()

  const printed = await shell(command)
  const attribute = (code: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(code)?.[1]
  for (const name of ['src', 'style', 'allow', 'referrerpolicy', 'loading'])
    expect(attribute(printed, name), name).toBe(attribute(embed, name))
})

test('the sensor for Home Assistant has the text of the song as its state, and the attributes', async () => {
  const [yaml = ''] = codeOf('Home Assistant')
  const { sensor } = parseYaml(yaml) as {
    sensor: [
      {
        platform: string
        resource: string
        value_template: string
        json_attributes_path: string
        json_attributes: string[]
      },
    ]
  }
  const [
    { platform, resource, value_template: template, json_attributes_path: path, json_attributes: names },
  ] = sensor
  expect(platform).toBe('rest')
  const value = (await (await fetch(resource)).json()) as NowPlaying
  // Home Assistant renders templates of Jinja, whose language this is.
  const templates = new nunjucks.Environment(null, { autoescape: false })
  const { text } = value.now_playing.song
  expect(templates.renderString(template, { value_json: value })).toBe(text.slice(0, 255))
  const found = JSONPath({ path, json: value, wrap: false }) as unknown as Record<string, unknown>
  expect(names.filter((name) => found[name] === undefined)).toEqual([])
})

test('the list for IPTV players names a guide and files that play', async ({ page }) => {
  const [command = ''] = codeOf('An IPTV player')
  const address = command.trim().replace(/^vlc /, '')
  expect(address).toBe(`${web.url}/api/channels.m3u`)
  const { header, items } = playlist.parse(await (await fetch(address)).text())
  const guide = await fetch(header.attrs['x-tvg-url'] ?? '')
  const item = items.find(({ name }) => name === 'Test Card')
  expect(await guide.text()).toContain(`<channel id="${item?.tvg.id}">`)
  // Players are no pages; browsers let only the station's own pages play the file.
  await page.goto(`${web.url}/robots.txt`)
  const duration = await page.evaluate(async (url) => {
    const video = Object.assign(document.createElement('video'), { src: url, preload: 'metadata' })
    await new Promise((resolve, reject) => {
      video.onloadedmetadata = resolve
      video.onerror = () => reject(new Error(video.error?.message))
    })
    return video.duration
  }, item?.url ?? '')
  expect(duration).toBeGreaterThan(0)
})

test('the steps for Discord announce what starts on a channel', async ({ page }) => {
  const admin = await signIn(web.url, testAdmin.email, testAdmin.password)
  const id = await startClipChannel(web.url, admin, 'Announced')
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/control?section=webhooks`)
  const panel = page.getByRole('region', { name: 'Webhooks' })
  await panel.getByRole('button', { name: 'New Webhook' }).click()
  const form = page.getByRole('dialog', { name: 'New Webhook' })
  await form.getByLabel('Address').fill(discord.webhookUrl)
  await form.getByText('Discord', { exact: true }).click()
  await form.getByRole('checkbox', { name: 'A programme starts' }).check()
  await form.getByText('Some channels').click()
  await form.getByRole('checkbox', { name: 'Announced' }).check()
  await form.getByRole('button', { name: 'Create Webhook' }).click()
  const card = panel.getByRole('listitem').filter({ hasText: 'Announced' })
  await card.getByRole('button', { name: 'Deliveries and Test' }).click()
  await page.getByRole('button', { name: 'Send Test' }).click()
  await expect.poll(() => discord.messages.map(({ content }) => content)).toContain('This is a test.')

  const stream = (action: 'start' | 'stop') =>
    clientOf(web.url, admin).call('POST /api/channels/:id/stream', { params: { id }, body: { action } })
  await stream('stop')
  await stream('start')
  await expect
    .poll(() => discord.messages.map(({ content }) => content), { timeout: 120_000 })
    .toContainEqual(expect.stringMatching(/^Now on \*\*Announced\*\*: \*\*.+\*\*/))
  expect(discord.refused).toEqual([])

  await page.keyboard.press('Escape')
  await card.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete Webhook' }).click()
  await expect(card).toBeHidden()
})

test('the receiver of webhooks accepts what is signed with its secret, and nothing else', async () => {
  const [program = ''] = codeOf('A program that receives webhooks')
  const port = await freePort()
  const secret = `whsec_${Buffer.from('a secret of a webhook, 32 bytes ').toString('base64')}`
  const receiver = spawn(
    process.execPath,
    ['--input-type=module', '--eval', program.replace('8000', String(port))],
    { cwd: import.meta.dirname, env: { ...process.env, WEBHOOK_SECRET: secret } },
  )
  const lines = createInterface(receiver.stdout)
  const send = async (signedWith: string): Promise<number | undefined> => {
    const body = JSON.stringify({ type: 'programme.started', timestamp: new Date().toISOString(), data: {} })
    const signature = new Webhook(signedWith).sign('event', new Date(), body)
    const headers = {
      'webhook-id': 'event',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': signature,
    }
    const response = await fetch(`http://localhost:${port}`, { method: 'POST', headers, body }).catch(
      () => undefined,
    )
    return response?.status
  }
  try {
    const line = once(lines, 'line')
    await expect.poll(() => send(secret)).toBe(204)
    expect((await line)[0]).toContain('programme.started')
    expect(await send(`whsec_${Buffer.from('another secret, also of 32 bytes').toString('base64')}`)).toBe(
      401,
    )
  } finally {
    receiver.kill()
  }
})

test('the steps for a television lead to a code for the phone', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto(`${web.url}/tv`)
  await expect(page.getByRole('region', { name: 'Live picture' })).toHaveAttribute('data-state', 'playing')
  await page.keyboard.press('Enter')
  const signInButton = page.getByRole('button', { name: 'Sign in for sound' })
  await expect(signInButton).toBeVisible()
  await walkTo(page, signInButton)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^[B-Z]{4}-[B-Z]{4}$/)).toBeVisible()
})
