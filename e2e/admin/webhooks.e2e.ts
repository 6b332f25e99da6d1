import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { testAdmin } from '@looptide/test-station/station'
import { expect } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

let receiver: Server
let url: string
let status = 204
const received: string[] = []
test.beforeAll(async () => {
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body)
      response
        .writeHead(status, { 'content-type': 'text/plain' })
        .end(status === 204 ? undefined : 'no thanks')
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
test.afterAll(() => void receiver.close())

test('an admin creates a webhook, tests it, sends a delivery again, replaces its secret and deletes it', async ({
  page,
}) => {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/control?section=webhooks`)
  const panel = page.getByRole('region', { name: 'Webhooks' })
  await expect(panel.getByText('No webhooks yet')).toBeVisible()

  await panel.getByRole('button', { name: 'New Webhook' }).click()
  const form = page.getByRole('dialog', { name: 'New Webhook' })
  await form.getByLabel('Address').fill('http://192.168.0.1/')
  await form.getByRole('button', { name: 'Create Webhook' }).click()
  await expect(form.getByText('The address is not one of the internet.')).toBeVisible()
  await form.getByLabel('Address').fill(url)
  // Programmes start at any time, and would be deliveries of their own.
  await form.getByRole('checkbox', { name: 'A programme starts' }).uncheck()
  for (const name of ['A schedule is published', 'A live takeover starts'])
    await form.getByRole('checkbox', { name }).check()
  await form.getByText('Some channels').click()
  await form.getByRole('checkbox', { name: 'Test Card' }).check()
  expect(await violationsInThemes(page, '[role="dialog"]'), 'form').toEqual([])
  await form.getByRole('button', { name: 'Create Webhook' }).click()
  const secret = page.getByRole('dialog', { name: 'The Secret of Your Webhook' })
  await expect(secret.getByLabel('Secret')).toHaveText(/^whsec_/)
  await secret.getByRole('button', { name: 'I Have Saved It' }).click()
  const card = panel.getByRole('listitem')
  await expect(card).toContainText('Standard • Test Card')
  await expect(card).toContainText('A schedule is published, a live takeover starts')

  status = 500
  await card.getByRole('button', { name: 'Deliveries and Test' }).click()
  const deliveries = page.getByRole('dialog', { name: /^Deliveries to 127/ })
  await expect(deliveries.getByText('Nothing has been sent yet')).toBeVisible()
  await deliveries.getByRole('button', { name: 'Send Test' }).click()
  const rows = deliveries.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
  await expect(rows).toContainText(['Answered 500.'])
  await rows.first().getByText('Show request and answer').click()
  await expect(rows.first()).toContainText('no thanks')
  await expect(rows.first()).toContainText('"type":"webhook.test"')
  expect(await violationsInThemes(page, '[role="dialog"]'), 'deliveries').toEqual([])
  status = 204
  await rows.first().getByRole('button', { name: 'Redeliver' }).click()
  await expect(rows).toContainText(['Delivered', 'Failed'])
  expect(received).toEqual([received[0], received[0]])
  await page.keyboard.press('Escape')

  await card.getByRole('button', { name: 'Rotate Secret' }).click()
  await page.getByRole('button', { name: 'Replace Secret' }).click()
  await expect(page.getByRole('dialog', { name: 'The New Secret' }).getByLabel('Secret')).toHaveText(
    /^whsec_/,
  )
  await page.getByRole('button', { name: 'I Have Saved It' }).click()
  await card.getByRole('switch', { name: 'On' }).click()
  await expect(card.getByRole('switch', { name: 'Off' })).toHaveAttribute('aria-checked', 'false')
  expect(await violationsInThemes(page, 'section[aria-labelledby="webhooks"]'), 'list').toEqual([])
  await card.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete Webhook' }).click()
  await expect(panel.getByText('No webhooks yet')).toBeVisible()
})
