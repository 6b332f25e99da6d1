/**
 * Normalises an email to its mailbox: lower case, without a `+tag` (sub-addressing, RFC 5233), which most mail servers
 * deliver to the same user. Rules that concern a person or a mailbox use it as their key. It is no address to send to.
 *
 * Other aliases are not recognised: dots in the local part, tags after `-` or `=`, and domains of one provider belong
 * to the same mailbox at some servers and to different people at others, and a shared key would let one of these people
 * use up the mails of the other.
 */
export const mailboxOf = (email: string): string => email.toLowerCase().replace(/(?<=.)\+[^@]*(?=@)/, '')
