/** Removes format characters, which nobody sees in a pasted email address, URL or code. */
export const withoutFormat = (text: string): string =>
  text.replace(/\p{Cf}|(?=\p{Default_Ignorable_Code_Point})\p{Cn}/gu, '')

/** Replaces the decimal digits of every script (`\p{Nd}`) by ASCII digits. */
export const asciiDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit)))

/** Unicode assigns digits in rows from zero to nine; rows may follow each other without a gap. */
function digitValue(digit: string): number {
  const point = digit.codePointAt(0) ?? 0
  let start = point
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start -= 1
  return (point - start) % 10
}

/** A typed number in digits of any script; NaN for no number. */
export function typedNumber(text: string): number {
  const digits = asciiDigits(withoutFormat(text)).replace('\u066B', '.').trim()
  return digits === '' ? Number.NaN : Number(digits)
}
