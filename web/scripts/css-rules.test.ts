import { describe, expect, it } from 'vitest'
import { classesOf, withoutClasses } from './css-rules.ts'

describe('a stylesheet without classes', () => {
  it.each([
    ['a rule that needs one', '.a{top:0}.b{top:1px}', '.b{top:1px}'],
    ['a rule of several elements', '.b .a{top:0}.b .c{top:0}', '.b .c{top:0}'],
    ['a group that is then empty', '@media (width>=40rem){.a{top:0}}.b{top:0}', '.b{top:0}'],
    ['rules in groups', '@layer x{@media print{.a{top:0}.b{top:0}}}', '@layer x{@media print{.b{top:0}}}'],
    ['a name with escapes', '.sm\\:a\\[1\\,5\\]:hover{top:0}.b{top:0}', '.b{top:0}'],
  ])('lacks %s', (_, css, expected) => {
    expect(withoutClasses(css, new Set(['a', 'sm:a[1,5]']))).toBe(expected)
  })

  it.each([
    ['a rule with another selector', '.a,.b{top:0}'],
    ['a rule for elements without the class', '.b:not(.a){top:0}'],
    ['a rule for one of several classes', '.b:is(.a,.c){top:0}'],
    ['texts with braces', '.b:before{content:"{.a}"}.c[title=\'}\']{top:0}'],
    [
      'other at-rules',
      '@layer x,y;@property --a{syntax:"*";inherits:false}@keyframes a{0%{top:0}to{top:1px}}',
    ],
    ['a comment', '/*! .a{} */@layer x{.b{top:0}}'],
  ])('keeps %s', (_, css) => expect(withoutClasses(css, new Set(['a']))).toBe(css))
})

it('knows the classes of selectors', () => {
  expect(classesOf('.w-1\\.5,.\\[\\&_svg\\]\\:a svg,.\\32 xl\\:b{margin:.5rem}')).toEqual([
    'w-1.5',
    '[&_svg]:a',
    '2xl:b',
  ])
})
