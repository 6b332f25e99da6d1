/**
 * The locale of dates, times and numbers. The app's texts are English, so that the names of months and weekdays are
 * too; the viewer's own variant of English decides the order and the clock. Without one: day first, 24 hours.
 */
export const dateLocale: string = navigator.languages?.find((locale) => /^en\b/i.test(locale)) ?? 'en-GB'
