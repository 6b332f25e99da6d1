import { expect, it } from 'vitest'
import { scannerAddress } from './clamd.ts'

it('reads host and port of the scanner, 3310 by default', () => {
  expect(scannerAddress('tcp://clamav:3311')).toEqual({ host: 'clamav', port: 3311 })
  expect(scannerAddress('tcp://clamav')).toEqual({ host: 'clamav', port: 3310 })
  expect(scannerAddress('tcp://[::1]:3310/')).toEqual({ host: '::1', port: 3310 })
})

it.each([
  'http://clamav:3310',
  'tcp:///run/clamd.sock',
  'tcp://user@clamav',
  'tcp://clamav/path',
  'tcp://clamav?x',
])('refuses %s as the address of a scanner', (text) => {
  expect(() => scannerAddress(text)).toThrow('must be tcp://<host>:<port>')
})
