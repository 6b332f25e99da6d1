import { describe, expect, it } from 'vitest'
import { hasLink } from './links.ts'

describe('a message', () => {
  it.each([
    'https://example.com/a?b=c',
    'look: HTTP://EXAMPLE.ORG',
    'see www.example.net for more',
    'example.com is cheap',
    'free at spam.ru!',
    'ｈｔｔｐｓ：／／ｅｘａｍｐｌｅ．ｃｏｍ',
    'exa\u200bmple.c\u00adom',
    '//cdn.example.com/x',
    'http://192.0.2.1/login',
  ])('has a link: %s', (message) => expect(hasLink(message)).toBe(true))

  it.each([
    'hello',
    'wait... what',
    'that was 3.5 of 5',
    'me@home',
    '10:30 p.m. is fine',
    'great!nice',
    '¯\\_(ツ)_/¯',
  ])('has no link: %s', (message) => expect(hasLink(message)).toBe(false))
})
