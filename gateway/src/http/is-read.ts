/** Whether a request only asks. */
export const isRead = ({ method }: { method: string }): boolean => method === 'GET' || method === 'HEAD'
