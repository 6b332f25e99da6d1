import { repositoryRoot } from '@looptide/backing/paths'
import { expect, it } from 'vitest'
import { processesFor, readConfig } from './config.ts'

it('has a default for every setting', () => {
  expect(readConfig({})).toMatchObject({
    dataDir: `${repositoryRoot}/.local`,
    gateway: { port: 8080, explicit: false },
    mailWeb: { port: 1080, explicit: false },
    mailConfirmation: 'off',
    accessTokenTtlS: 3600,
    otpTtlS: 3600,
    refreshReuseIntervalS: 10,
    rateLimitFactor: 1,
  })
})

it('requires mail confirmation for a public site, unless the setting says otherwise', () => {
  const SITE_URL = 'https://tv.example.com'
  expect(readConfig({ SITE_URL }).mailConfirmation).toBe('on')
  expect(readConfig({ SITE_URL, MAIL_CONFIRMATION: 'off' }).mailConfirmation).toBe('off')
  expect(readConfig({ SITE_URL: 'http://localhost:8080' }).mailConfirmation).toBe('off')
})

it('distinguishes an explicit port from a default', () => {
  expect(readConfig({ PORT: '8080' }).gateway).toEqual({ port: 8080, explicit: true })
})

it('runs one process for all services below 4 GB of memory, unless the setting says otherwise', () => {
  expect(processesFor('auto', 3.9e9)).toBe('one')
  expect(processesFor('auto', 4 * 1024 ** 3)).toBe('separate')
  expect(processesFor('separate', 1e9)).toBe('separate')
  expect(readConfig({ LOOPTIDE_PROCESSES: 'one' }).processes).toBe('one')
})

it('names every faulty variable at once and shows no value', () => {
  const env = { PORT: 'eighty', OTP_TTL_S: '7200', MAIL_CONFIRMATION: 'maybe', SMTP_URL: 'hunter2' }
  const read = () => readConfig(env)
  expect(read).toThrow(/PORT.*OTP_TTL_S|OTP_TTL_S.*PORT/)
  for (const name of Object.keys(env)) expect(read).toThrow(name)
  for (const value of Object.values(env)) expect(read).not.toThrow(value)
})

it('passes settings that only services read on unchanged', () => {
  const { ofServices } = readConfig({
    MEDIA_ORIGINS: 'https://media.example.com',
    YOUTUBE_DAILY_QUOTA: '50',
    PASSKEY_RP_ID: 'example.com',
    MALWARE_SCANNER_URL: 'tcp://clamav',
  })
  expect(ofServices).toEqual({
    auth: { PASSKEY_RP_ID: 'example.com', MALWARE_SCANNER_URL: 'tcp://clamav' },
    'admin-audit': { MALWARE_SCANNER_URL: 'tcp://clamav' },
    catalogue: {},
    chat: {},
    audience: {},
    'stream-scheduler': {},
    gateway: { MEDIA_ORIGINS: 'https://media.example.com' },
    'metadata-worker': { MEDIA_ORIGINS: 'https://media.example.com', YOUTUBE_DAILY_QUOTA: '50' },
  })
})
