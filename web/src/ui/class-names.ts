/** Joins class names; falsy ones are omitted. Not `clsx`, which costs the bundle more than one line. */
export const classNames = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ')
