/**
 * The commonest passwords of eight characters and more, as they stand at the head of every published
 * list of leaked ones. Kept short: it stops the first guesses; rate limits stop the rest.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 12345678910 123123123 987654321 0987654321 11111111 111111111 1111111111
  00000000 000000000 0000000000 22222222 33333333 44444444 55555555 66666666 77777777 88888888 888888888
  99999999 999999999 12341234 11223344 112233445566 87654321 147258369 741852963 789456123 123654789
  password password1 password12 password123 password1234 passw0rd passw0rd1 p@ssw0rd p@ssword pa$$word
  pa$$w0rd password! password1! password123! passwort passwort1 mypassword newpassword changeme changeme1
  changeme123 letmein1 letmein123 letmeinnow welcome1 welcome12 welcome123 welcome1! qwertyui qwertyuiop
  qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertz123 1qaz2wsx 1qazxsw2 1q2w3e4r 1q2w3e4r5t
  1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 zaq12wsx zaq1zaq1 qazwsxedc qazwsx123 asdfghjk asdfghjkl asdfasdf
  asdf1234 zxcvbnm1 zxcvbnm123 abcd1234 abc12345 abc123456 abcdefgh abcdefghi a1b2c3d4 aa123456 aa12345678
  a12345678 a123456789 q1234567 1234qwer 123qweasd 123456qwerty 12345qwert 1234abcd 123456abc 123456789a
  iloveyou iloveyou1 iloveyou2 iloveyou123 princess princess1 sunshine sunshine1 football football1 baseball
  baseball1 basketball superman superman1 batman123 spiderman starwars pokemon1 pokemon123 dragon123
  monkey123 shadow123 master123 michael1 jennifer jordan23 samantha alexander charlie1 whatever whatever1
  trustno1 computer computer1 internet internet1 liverpool liverpool1 chelsea1 arsenal1 blink182 slipknot
  metallica nirvana1 cocacola chocolate chocolate1 butterfly elephant hello123 helloworld test1234 testtest
  test12345 testing1 testing123 admin123 admin1234 admin12345 administrator adminadmin rootroot root1234
  user1234 guest123 default1 secret123 access14 login123 minecraft fuckyou1 fuckyou2 bailey123 lovelove
  loveyou1 jessica1 ashley123 nicole123 daniel123 thomas123 george123 summer123 winter123 spring123 autumn123
  google123 facebook facebook1 samsung1 samsung123 mustang1 corvette mercedes yamaha123 killer123 freedom1
  zxcvbnm,./ !@#$%^&* qwertyuiop[] looptide looptide1 looptidetv`.split(/\s+/),
)
