const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The video ids of a query, which are separated by commas. Texts that are no ids are left out. */
export const videoIdsOf = (text: string): string[] => text.split(',').filter((id) => UUID.test(id))
