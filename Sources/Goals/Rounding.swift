// Division that says which way it rounds. Swift's own rounds toward zero.

extension SignedInteger where Self: FixedWidthInteger {
    /// The quotient, rounded toward minus infinity.
    ///
    /// - Precondition: The divisor is positive.
    func dividedRoundingDown(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The quotient, rounded toward plus infinity.
    ///
    /// - Precondition: The divisor is positive.
    func dividedRoundingUp(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder > 0 ? quotient + 1 : quotient
    }
}
