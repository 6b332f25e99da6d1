const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** An instant as the values of a date and a time input, in the viewer's zone. */
export function toInputs(epochMs: number): { date: string; time: string } {
  const at = new Date(epochMs)
  const year = String(at.getFullYear()).padStart(4, '0')
  return {
    date: `${year}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`,
    time: `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`,
  }
}

/** The instant of a date and a time input in the viewer's time zone (epoch ms); undefined if invalid. */
export function fromInputs({ date, time }: { date: string; time: string }): number | undefined {
  // A date with a time and no offset is local (ECMA-262, Date Time String Format).
  const epochMs = Date.parse(`${date}T${time}`)
  return Number.isNaN(epochMs) ? undefined : epochMs
}

/** The instant in a URL parameter (epoch ms); undefined if missing or invalid. */
export function instantFrom(text: string | null): number | undefined {
  if (text === null || !/^\d{1,15}$/.test(text)) return undefined
  return Number(text)
}
