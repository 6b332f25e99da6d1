/** Whether a text is a URL with the scheme https. */
export const isHttpsUrl = (text: string): boolean => text.startsWith('https://') && URL.canParse(text)
