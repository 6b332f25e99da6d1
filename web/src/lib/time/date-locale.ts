/**
 * The locale of dates, times and numbers. The app's texts are English, so month and weekday names are too. The viewer's
 * variant of English decides the order and the clock; the default is `en-GB`: day first, 24 hours.
 */
export const dateLocale: string = navigator.languages?.find((locale) => /^en\b/i.test(locale)) ?? 'en-GB'
