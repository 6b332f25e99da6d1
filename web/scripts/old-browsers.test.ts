import { describe, expect, it } from 'vitest'
import { cssFaults, scriptFaults } from './old-browsers.ts'

const inScript = (code: string) => scriptFaults('a.js', code).length > 0
const inStyles = (css: string) => cssFaults('a.css', css).length > 0

describe('scriptFaults', () => {
  it.each([
    'class A { b = 1 }',
    'class A { static { b() } }',
    'class A { #b; has(c) { return #b in c } }',
    'a ??= b',
    'await a',
    '/[\\p{L}--[a-z]]/v.test(a)',
  ])('finds syntax after ES2020: %s', (code) => expect(inScript(code)).toBe(true))

  it.each([
    'a.toSpliced(1)',
    'a?.checkVisibility()',
    'Object.groupBy(a, b)',
    'structuredClone(a)',
    'URL.parse(a)',
    'new URLPattern()',
  ])('finds an interface after Chromium 87: %s', (code) => expect(inScript(code)).toBe(true))

  it.each([
    'export const a = b?.c ?? d; import("./e.js")',
    'class A { b() { return this.c.flatMap((d) => d) } }',
    'Promise.allSettled(a); Promise.any(a); "a".replaceAll("a", "b"); JSON.parse(a)',
    'const text = "a.toSpliced(1)"',
  ])('accepts what Chromium 87 has: %s', (code) => expect(inScript(code)).toBe(false))
})

describe('cssFaults', () => {
  it.each([
    '@layer base{a{color:red}}',
    'a{color:color-mix(in srgb,red,blue)}',
    'a:has(b){color:red}',
    ':is(a,b) c{color:red}',
    'a{height:100dvh}',
    'a{aspect-ratio:16/9}',
    'a{color:red;&:hover{color:blue}}',
    'a{color:red;.b{color:blue}}',
    'a{color:red}@media (width>=100px){a{color:blue}}',
    'a{overflow:clip}',
    'a{top:0;scale:1 2}',
  ])('finds a feature after Chromium 87: %s', (css) => expect(inStyles(css)).toBe(true))

  it.each([
    'a{inset:0;gap:1rem;margin-inline:auto}a:focus-visible{outline:2px solid}',
    '@media (min-width:100px){.a{width:min(1px,2vw);transform:scale(2)}.b{width:1rem}}',
    'a:not(.b){grid-area:picture;object-fit:contain}',
  ])('accepts what Chromium 87 has: %s', (css) => expect(inStyles(css)).toBe(false))
})
