import type { LanguageSample } from './promptGrammar.ts';

/** English in telephone menus, as a sample of its word order. */
export const englishSample: LanguageSample = {
  model: 'en-us',
  pronunciations: '',
  sentences: `
  hello and welcome
  hello and thank you for calling
  welcome to the bank
  welcome to customer service
  thank you for your call
  thank you for contacting us
  you have reached the office of
  you have reached the clinic
  you have reached the information service
  you have reached the voice mailbox of
  for service in english press one
  for service in english press two
  to continue in english press one
  for english press two
  for service in french press nine
  for french press one
  please listen carefully because our options have changed
  please listen to the following choices
  please listen to the following menu
  our menu has changed
  if you know the extension number you may dial it at any time
  if you know the extension of the person you wish to reach dial it now
  to speak to an agent press zero
  to speak to a representative press zero
  to speak with an advisor stay on the line
  to reach the operator press zero
  to speak to a customer service representative press three
  for all other inquiries please stay on the line
  for our hours of operation press four
  for your account balance press one
  for our address and branch locations press five
  for information about your bill press two
  to make a payment press three
  to pay your bill by credit card press two
  to make an appointment press one
  to cancel or change an appointment press two
  for technical support press four
  for sales press one
  for accounts and billing press two
  for accounting press three
  for human resources press six
  to report an outage press one
  to report a lost or stolen card press nine
  for a medical emergency hang up and dial nine one one
  if this is an emergency please hang up and dial nine one one
  in case of emergency dial nine one one
  to track your order press two
  for a delivery press two
  for general information press eight
  to repeat this menu press star
  to hear these options again press nine
  to listen to this message again press pound
  to return to the main menu press star
  to go back to the previous menu press nine
  to exit hang up
  otherwise stay on the line
  please hold
  please hold the line
  one moment please
  just a moment please
  thank you for holding
  please stay on the line
  please remain on the line to keep your place in the queue
  your call is important to us
  your call will be answered in the order it was received
  all of our agents are currently busy
  all of our representatives are busy at the moment
  an agent will be with you shortly
  a representative will take your call in a moment
  the estimated wait time is ten minutes
  this call may be recorded
  this call may be recorded for quality and training purposes
  this conversation is being recorded to improve the quality of our services
  please enter your account number followed by the pound key
  please enter your file number and then press pound
  enter your password followed by the pound key
  please enter the last four digits of your telephone number
  please enter your health insurance number
  please dial the extension number
  please enter the first three letters of the persons last name
  please leave a message after the tone
  leave your name and phone number after the beep
  we will call you back as soon as possible
  our office is open monday to friday from nine a m to five p m
  our office is now closed
  our hours are monday through friday from eight to four
  the office is closed on saturday and sunday
  this number is not in service
  the number you have dialed is not valid
  that is not a valid option please try again
  that is not a valid choice
  sorry i did not understand your choice
  i am sorry that extension is not available
  the person you are trying to reach is not available
  you have no new messages
  you have two new messages
  you have chosen english
  your selection has been recorded
  your payment has been accepted
  thank you and have a nice day
  thank you goodbye
  goodbye
  we thank you for your business
  visit our web site for more information
  you can also visit us on the internet
  say yes or no
  say french or english
  if this is correct press one
  if yes press one if not press two
  is that correct
  how can i help you today
  what can i do for you
  in a few words tell me the reason for your call
  i will transfer you to an agent
  i am putting you on hold
  we are transferring your call
  your call is being transferred
  the government of the province
  the city of toronto
  the general hospital
  the health and social services centre
  the school is closed today
  the credit union
  the products and services of the company
  there is one person ahead of you in the queue
  there is a five minute wait
  it is your turn
  all of our lines are busy
  press any key to continue
  press one to accept or two to decline
  press three to erase the message
  press four to save it
  press one for yes and two for no
  dial one now
  the numbers one two three four five six seven eight nine and zero
  this is an automated message
  this is a recording
  i am a virtual assistant`,
};
