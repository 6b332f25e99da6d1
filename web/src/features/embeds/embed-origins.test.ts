import { expect, it } from 'vitest'
import { readOrigins } from './embed-origins.ts'

it('reads sites, one a line, from addresses of their pages too', () => {
  const text = ' https://blog.example/post/1?x#y \n\nBLOG.example\nhttp://localhost:8000\nhttps://[::1]:8443/'
  expect(readOrigins(text)).toEqual({
    origins: ['https://blog.example', 'http://localhost:8000', 'https://[::1]:8443'],
    wrong: undefined,
  })
})

it.each([
  'https://a;b.example',
  '*',
  'https://*.example',
  'javascript:alert(1)',
  'data:text/html,x',
  "'self'",
  'a b',
])('names a line that is no site: %s', (line) =>
  expect(readOrigins(`blog.example\n${line}`)).toEqual({ origins: ['https://blog.example'], wrong: line }),
)
