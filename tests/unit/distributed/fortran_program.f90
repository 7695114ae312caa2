! A transform over the processes of an MPI that is loaded by its standard ABI, by the module for Fortran. Its argument
! is "fortran"; each rank writes "right", or what is wrong, to the file R in the folder SEICHE_TEST_FOLDER. "alone" is one
! rank, a thread, without MPI.
program fortran_program
    use seiche_distributed
    implicit none
    ! The array a(6, 8) in Fortran's order: axis 0 of the lengths is the second here.
    integer(c_int64_t), parameter :: lengths(2) = [8_c_int64_t, 6_c_int64_t]
    type(c_ptr) :: ranks, device, queue
    character(len=:), allocatable :: said
    integer :: rank

    call open_ranks(ranks)
    if (seiche_device_open(variable('SEICHE_TEST_DEVICE', 'reference') // c_null_char, device) /= SEICHE_OK) call fail()
    if (seiche_queue_create(device, queue) /= SEICHE_OK) call fail()
    rank = seiche_communicator_rank(ranks)
    said = transform()
    if (said == 'right') said = refusal()
    call seiche_queue_release(queue)
    call seiche_device_release(device)
    call seiche_communicator_release(ranks)
    call report()
    if (said /= 'right') stop 1

contains

    subroutine fail()
        print '(a)', seiche_last_message()
        stop 1
    end subroutine

    function variable(name, otherwise) result(value)
        character(len=*), intent(in) :: name, otherwise
        character(len=:), allocatable :: value
        integer :: length
        call get_environment_variable(name, length=length)
        if (length == 0) then
            value = otherwise
            return
        end if
        allocate(character(len=length) :: value)
        call get_environment_variable(name, value)
    end function

    subroutine open_ranks(communicator)
        type(c_ptr), intent(out) :: communicator
        type(seiche_thread_options) :: threads
        type(seiche_message_options) :: messages
        type(c_ptr) :: one(1)
        character(len=16) :: what
        integer(c_int) :: status
        call get_command_argument(1, what)
        if (what == 'fortran') then
            call seiche_message_options_init(messages, c_sizeof(messages))
            status = seiche_mpi_abi_world(messages, variable('SEICHE_TEST_MPI', '') // c_null_char, communicator)
        else
            call seiche_thread_options_init(threads, c_sizeof(threads))
            status = seiche_thread_ranks(1_c_int, threads, one)
            communicator = one(1)
        end if
        if (status /= SEICHE_OK) call fail()
    end subroutine

    ! From slabs along the second axis to slabs along the first, beside the sums themselves.
    function transform() result(text)
        character(len=:), allocatable :: text
        complex(c_double_complex) :: whole(0:5, 0:7), wanted(0:5, 0:7)
        complex(c_double_complex), allocatable, target :: from(:, :), to(:, :)
        integer(c_int64_t) :: lower(2), upper(2), next(2), end(2), bytes
        type(c_ptr) :: slabs, columns, problem, plan, input, output, workspace
        type(seiche_distributed_options) :: options
        type(seiche_distributed_execution) :: execution
        type(seiche_distributed_report) :: report_of_plan
        integer :: i, j
        do j = 0, 7
            do i = 0, 5
                whole(i, j) = cmplx(mod(7 * i + 3 * j, 11) - 5, mod(5 * i + j, 7) - 3, c_double_complex)
            end do
        end do
        wanted = sums(whole)
        call check(seiche_boxes_slab(2_c_size_t, lengths, 0_c_int, seiche_communicator_size(ranks), slabs))
        call check(seiche_boxes_slab(2_c_size_t, lengths, 1_c_int, seiche_communicator_size(ranks), columns))
        call check(seiche_boxes_get(slabs, int(rank, c_size_t), lower, upper))
        call check(seiche_boxes_get(columns, int(rank, c_size_t), next, end))
        call check(seiche_problem_parse('8x6 c2c f64' // c_null_char, problem))
        call seiche_distributed_options_init(options, c_sizeof(options))
        options%directions = SEICHE_ONLY_FORWARD
        call check(seiche_distributed_plan_create(device, problem, slabs, columns, ranks, options, plan))
        allocate(from(lower(2):upper(2) - 1, lower(1):upper(1) - 1), to(next(2):end(2) - 1, next(1):end(1) - 1))
        from = whole(lower(2):upper(2) - 1, lower(1):upper(1) - 1)
        call check(seiche_distributed_plan_workspace_bytes(plan, bytes))
        call check(seiche_buffer_create(device, max(bytes, 16_c_int64_t), workspace))
        call check(seiche_distributed_plan_output_bytes(plan, bytes))
        call check(seiche_buffer_create(device, bytes, output))
        call check(seiche_distributed_plan_input_bytes(plan, bytes))
        call check(seiche_buffer_create(device, bytes, input))
        call check(seiche_upload(queue, input, 0_c_int64_t, c_loc(from), int(bytes, c_size_t)))
        call seiche_distributed_execution_init(execution, c_sizeof(execution))
        execution%input = input
        execution%output = output
        execution%workspace = workspace
        call check(seiche_distributed_execute(plan, queue, execution))
        call check(seiche_download(queue, c_loc(to), output, 0_c_int64_t, int(16 * size(to), c_size_t)))
        call seiche_distributed_report_init(report_of_plan, c_sizeof(report_of_plan))
        call check(seiche_distributed_plan_get_report(plan, report_of_plan))
        text = 'right'
        if (maxval(abs(to - wanted(next(2):end(2) - 1, next(1):end(1) - 1))) > 1e-12) text = 'a wrong transform'
        if (seiche_communicator_size(ranks) > 1 .and. report_of_plan%exchanges /= 1) text = 'a wrong report'
        if (index(seiche_text_of(seiche_distributed_plan_report(plan)), 'transform axes') == 0) text = 'a wrong text'
        call seiche_distributed_plan_release(plan)
        call seiche_problem_release(problem)
        call seiche_boxes_release(slabs)
        call seiche_boxes_release(columns)
        call seiche_buffer_release(input)
        call seiche_buffer_release(output)
        call seiche_buffer_release(workspace)
    end function

    subroutine check(status)
        integer(c_int), intent(in) :: status
        if (status /= SEICHE_OK) call fail()
    end subroutine

    function sums(a) result(spectrum)
        complex(c_double_complex), intent(in) :: a(0:5, 0:7)
        complex(c_double_complex) :: spectrum(0:5, 0:7)
        real(c_double), parameter :: turn = -2 * acos(-1.0_c_double)
        real(c_double) :: angle
        integer :: i, j, k, l
        spectrum = 0
        do j = 0, 7
            do i = 0, 5
                do l = 0, 7
                    do k = 0, 5
                        angle = turn * (real(i * k, c_double) / 6 + real(j * l, c_double) / 8)
                        spectrum(i, j) = spectrum(i, j) + a(k, l) * cmplx(cos(angle), sin(angle), c_double_complex)
                    end do
                end do
            end do
        end do
    end function

    function refusal() result(text)
        character(len=:), allocatable :: text
        type(c_ptr) :: boxes
        text = 'right'
        if (seiche_boxes_slab(2_c_size_t, lengths, 2_c_int, 2_c_int, boxes) /= SEICHE_INVALID_PROBLEM) text = 'accepted'
        if (seiche_last_message() /= 'InvalidProblem: axis: expected one of the 2 axes, got 2') &
            text = 'said ' // seiche_last_message()
        if (seiche_absent_rank() /= -1) text = 'an absent rank'
    end function

    ! Under another name first, so that a file that is there is whole.
    subroutine report()
        character(len=:), allocatable :: folder
        character(len=8) :: number
        integer :: file, status
        print '(a)', said
        folder = variable('SEICHE_TEST_FOLDER', '')
        if (folder == '') return
        write (number, '(i0)') rank
        open (newunit=file, file=folder // '/' // trim(number) // '.part', action='write')
        write (file, '(a)') said
        close (file)
        status = rename(folder // '/' // trim(number) // '.part', folder // '/' // trim(number))
        if (status /= 0) stop 1
    end subroutine

end program
